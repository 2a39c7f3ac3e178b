/** Parts of names of time zones begin with a capital: `Europe/Berlin`. Signs and digits come later, as in `Etc/GMT+1`. */
const NAME = /^[A-Z][A-Za-z._\-0-9+]{0,13}(?:\/[A-Z][A-Za-z._\-0-9+]{0,13})*$/;

/** Whether there is a time zone of this name in the IANA's database. */
export function isTimeZone(name: string): boolean {
  if (!NAME.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
