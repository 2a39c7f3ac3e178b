/**
 * A double as Go's `strconv.FormatFloat(f, 'g', -1, 64)` writes it: the shortest digits, with an exponent of two digits or
 * more below 1e-4 and from `limit` digits on.
 */
export function goFloat(value: number, limit = 21): string {
  const [digits = '', exponentText = '0'] = value.toExponential().split('e');
  const exponent = Number(exponentText);
  if (exponent >= -4 && exponent < limit) return plain(value, exponent);
  const sign = exponent < 0 ? '-' : '+';
  return `${digits}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

function plain(value: number, exponent: number): string {
  const text = String(value);
  return text.includes('e') ? value.toFixed(Math.max(0, 20 - exponent)).replace(/0+$/, '') : text;
}
