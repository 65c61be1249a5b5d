import { namesCredential } from "../lib/redaction.ts";

const SECRET_NAME = /KEY|TOKEN|SECRET|PASSW|CREDENTIAL|PRIVATE/iu;
/** Addresses of databases and their like, in which a user and a password stand. */
const WITH_PASSWORD =
  /^(?:[A-Z\d]+_)*(?:DATABASE|DB|POSTGRES(?:QL)?|PG|MYSQL|MONGO(?:DB)?|REDIS|AMQP|RABBITMQ|CLOUDAMQP|ELASTICSEARCH|SMTP|SENTRY)_(?:URL|URI|DSN)$|CONNECTION_STRING/u;

/** True for a variable that sounds as if it held a secret. */
export function isSecretVariable(name: string): boolean {
  return SECRET_NAME.test(name) || WITH_PASSWORD.test(name) || namesCredential(name);
}
