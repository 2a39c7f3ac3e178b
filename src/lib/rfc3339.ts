/** {@link formatTime} that remembers its last second, for those who write many times of the same one. */
export function timeFormat(): (ms: number) => string {
  let second = NaN;
  let text = '';
  return (ms) => {
    const wanted = Math.floor(ms / 1000);
    if (wanted !== second) text = formatTime(ms);
    second = wanted;
    return text;
  };
}

/** A time as the interface writes it: RFC 3339 in UTC, whole seconds. @param ms since 1970 */
export function formatTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
