/** An outcome with its causes in order. Names differ between profiles, and so does their order; the reference says some things twice. */
export function inOrder(outcome: string): string {
  const [status = ''] = outcome.split(' ');
  const causes = outcome.slice(status.length + 1).split(/, (?=[A-Z]\w+ )/);
  return `${status} ${[...new Set(causes)].sort().join(', ')}`;
}
