/** How often a law is tried: 1,000 cases in `make test`, as many as LAW_RUNS says in `make soak`. */
export function lawRuns(): number {
  const asked = Number(process.env['LAW_RUNS'] ?? '');
  return Number.isInteger(asked) && asked > 0 ? asked : 1000;
}
