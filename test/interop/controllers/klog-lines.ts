/** Beginnings of the names that the scenario's objects have; controllers add to them. */
const OBJECTS = [
  ...['web', 'db', 'agent', 'parallel', 'indexed', 'passing', 'each-minute', 'at-once', 'waiting'],
  ...['consumer', 'scaled', 'guarded', 'few', 'orphan', 'background', 'foreground', 'cycle'],
].join('|');

const HEADER = /^([EWF])\d{4} [\d:.]+ +\d+ ([\w.-]+):\d+\] (.*)$/;

const CONFLICT = 'conflict';
const NAMESPACE_GOES = 'its namespace is being deleted';
const GONE = 'OBJECT is gone';
const STALE = 'informer cache is out of date';

/** Ends of what either server says of a conflict. */
const CONFLICTS = [
  'try again',
  'UID in object meta: (?:UID)?',
  'with the uid UID',
  'being deleted(?:, cannot be assigned to a host)?',
];

/** What differs from run to run, and what the two servers say in sentences of their own. In this order. */
const GENERAL: readonly (readonly [RegExp, string])[] = [
  [/&garbagecollector\.node\{.*\}(?=: )/g, 'NODE OF THE GRAPH'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, 'UID'],
  [new RegExp(`\\b(${OBJECTS})([-.][a-z0-9]+)*\\b`, 'g'), 'OBJECT'],
  [/OBJECT(\/OBJECT)+/g, 'OBJECT'],
  [/\b(?:\d+(?:\.\d+)?(?:h|ms|m|s|µs))+\b/g, 'N'],
  [/\b\d+(?:[.:]\d+)*\b/g, 'N'],
  [/\bnode-N\b/g, 'NODE'],
  [
    new RegExp(
      `Operation cannot be fulfilled on [\\w./]+ \\\\"OBJECT\\\\": .*?(?:${CONFLICTS.join('|')})`,
      'g',
    ),
    CONFLICT,
  ],
  [
    /is forbidden: (?:unable to create|there is no) new content in namespace OBJECT because it is being terminated/g,
    NAMESPACE_GOES,
  ],
  [/[\w.]+ \\"OBJECT\\" not found/g, GONE],
];

/**
 * The kinds of errors and warnings in a log that klog wrote, and how often each came: severity, file and message, without
 * times, line numbers, names, uids and counts.
 */
export function troubles(log: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const line of log.split('\n')) {
    const [, severity, file, message] = HEADER.exec(line) ?? [];
    if (message === undefined) continue;
    const general = GENERAL.reduce((text, [pattern, by]) => text.replace(pattern, by), message);
    const trouble = `${severity} ${file} ${general}`;
    found.set(trouble, (found.get(trouble) ?? 0) + 1);
  }
  return found;
}

/**
 * Whether somebody else was faster: a controller wrote what had changed meanwhile, wrote to what had gone or was on its way
 * out, or noticed that it hadn't been shown its own write yet. All controllers live with that; which of them it meets is chance, on any server.
 */
export function isLostRace(trouble: string): boolean {
  return [CONFLICT, NAMESPACE_GOES, GONE, STALE].some((words) => trouble.includes(words));
}
