import type { FieldPath } from '../../../errors/field-path.ts';
import { numberAt, objectsAt, textAt } from '../../../meta/fields.ts';
import type { JsonObject } from '../../../meta/object.ts';
import type { Placed } from '../validate/container-lists.ts';

interface Port {
  readonly at: FieldPath;
  readonly hostIP: string;
  readonly hostPort: number;
}

/** So many pairs of ports are compared: far more than headers have room to warn of, few enough to take no time. */
const MOST_PAIRS = 20_000;

/** Ports that two containers, or one twice, say they have: of very many ports only the first are compared. */
export function portWarnings(containers: readonly Placed[]): string[] {
  const found: string[] = [];
  const known = new Map<string, Port[]>();
  let pairs = 0;
  for (const { container, at } of containers) {
    objectsAt(container, 'ports').forEach((port, i) => {
      const placed = read(port, at.child('ports').index(i));
      if (placed.hostIP !== '' && placed.hostPort === 0)
        found.push(`${String(placed.at)}: hostIP is set without hostPort`);
      const key = `${numberAt(port, 'containerPort')}/${textAt(port, 'protocol')}`;
      const others = known.get(key) ?? [];
      for (const other of others) {
        if (++pairs > MOST_PAIRS) return;
        const how = clash(placed, other);
        if (how !== undefined)
          found.push(`${String(placed.at)}: ${how} port definition with ${String(other.at)}`);
      }
      others.push(placed);
      known.set(key, others);
    });
  }
  return found;
}

function read(port: JsonObject, at: FieldPath): Port {
  return { at, hostIP: textAt(port, 'hostIP'), hostPort: numberAt(port, 'hostPort') };
}

function clash(a: Port, b: Port): string | undefined {
  if (a.hostIP === b.hostIP && a.hostPort === b.hostPort) return 'duplicate';
  if (a.hostPort === 0 || b.hostPort === 0) return 'overlapping';
  const oneIsOpen = (a.hostIP === '') !== (b.hostIP === '');
  return a.hostPort === b.hostPort && oneIsOpen ? 'dangerously ambiguous' : undefined;
}
