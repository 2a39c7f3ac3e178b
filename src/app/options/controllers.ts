/** Controllers that run only where they are named. */
const OFF_BY_DEFAULT: ReadonlySet<string> = new Set(['bootstrapsigner', 'tokencleaner']);

/** Whether `--controllers` asks for a controller: by its name, or by `*` for all that run by default; `-name` takes it out. */
export function runsController(controllers: readonly string[], name: string): boolean {
  if (controllers.includes(name)) return true;
  if (controllers.includes(`-${name}`)) return false;
  return controllers.includes('*') && !OFF_BY_DEFAULT.has(name);
}
