/** Beginnings of the names that the scenario's objects have; controllers add to them. */
const OBJECTS = [
  'web db agent parallel indexed passing each-minute at-once waiting consumer scaled guarded few',
  'orphan background foreground cycle',
]
  .join(' ')
  .replaceAll(' ', '|');

const HEADER = /^([EWF])\d{4} [\d:.]+ +\d+ ([\w.-]+):\d+\] (.*)$/;

const WITHOUT: readonly (readonly [RegExp, string])[] = [
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, 'UID'],
  [new RegExp(`\\b(${OBJECTS})([-.][a-z0-9]+)*\\b`, 'g'), 'OBJECT'],
  [/OBJECT(\/OBJECT)+/g, 'OBJECT'],
  [/\b\d+(?:[.:]\d+)*(?:m?s|µs)?\b/g, 'N'],
  [/\bnode-N\b/g, 'NODE'],
];

/**
 * The kinds of errors and warnings in a log that klog wrote: severity, file and message of each, without what differs from
 * run to run (times, line numbers, names, uids, counts). Each is told once.
 */
export function troubles(log: string): Set<string> {
  const found = new Set<string>();
  for (const line of log.split('\n')) {
    const [, severity, file, message] = HEADER.exec(line) ?? [];
    if (message === undefined) continue;
    const general = WITHOUT.reduce((text, [pattern, by]) => text.replace(pattern, by), message);
    found.add(`${severity} ${file} ${general}`);
  }
  return found;
}
