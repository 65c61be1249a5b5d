/** With what each approval's permission begins. */
export const PERMISSION = "gaia_approval";

/** What GAIA's permissions must set to `ask`, so that a dialog is raised at all. */
export const APPROVAL_PERMISSIONS: readonly string[] = [`${PERMISSION}*`];
