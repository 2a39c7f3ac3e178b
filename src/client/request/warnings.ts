/** The texts of `Warning: 299 - "text"` headers, of which there may be several behind commas. */
export function warningsOf(header: string | readonly string[] | undefined): string[] {
  if (header === undefined) return [];
  const text = typeof header === 'string' ? header : header.join(', ');
  return [...text.matchAll(/\b\d{3} \S+ "((?:[^"\\]|\\.)*)"/g)].map(([, quoted = '']) =>
    quoted.replace(/\\(.)/g, '$1'),
  );
}
