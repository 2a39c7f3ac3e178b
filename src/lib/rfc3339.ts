/** A time as the interface writes it: RFC 3339 in UTC, whole seconds. @param ms since 1970 */
export function formatTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
