/** Words of CEL that are no identifiers. */
const RESERVED: ReadonlySet<string> = new Set(
  (
    'true false null in as break const continue else for function if import let loop package namespace return var ' +
    'void while'
  ).split(' '),
);

/** Whether a variable of an expression may have this name. */
export function isIdentifier(text: string): boolean {
  return /^[_A-Za-z][_A-Za-z0-9]*$/.test(text) && !RESERVED.has(text);
}
