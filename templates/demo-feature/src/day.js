const FORMAT = /^\d{4}-\d{2}-\d{2}$/;

/** Whether `text` is a day of the calendar, written as YYYY-MM-DD. */
export function isDay(text) {
  if (typeof text !== "string" || !FORMAT.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
