import { join } from 'node:path';
import protobuf from 'protobufjs';
import type { Plugin } from 'rolldown';
import { DESCRIBED_CALLS } from '../../src/storage/etcd/described-calls.ts';

const PACKAGE = 'etcdserverpb';
const LOADS_ALL = 'loadSync)(`${__dirname}/../proto/rpc.proto`';

/**
 * Gives etcd3 what it would read from its proto files at every start: parsed, and only of the calls that are made through it,
 * since each description takes time and memory. @throws Error when etcd3 reads them in another way
 */
export const etcdMessages: Plugin = {
  name: 'etcd-messages',
  transform: {
    filter: { id: /etcd3\/lib\/connection-pool\.js$/ },
    handler(code, id) {
      if (!code.includes(LOADS_ALL)) throw new Error(`${id} reads its proto files in an unknown way`);
      const root = new protobuf.Root();
      root.loadSync(join(id, '..', '..', 'proto', 'rpc.proto'), { keepCase: true }).resolveAll();
      return code.replace(LOADS_ALL, () => `fromJSON)(${JSON.stringify(described(root))}`);
    },
  },
};

/** What a root says of the calls and of the messages that they are made of. */
function described(root: protobuf.Root): protobuf.INamespace {
  const kept = new Set<string>();
  const keep = (type: protobuf.ReflectionObject | null): void => {
    if (type === null || kept.has(type.name)) return;
    kept.add(type.name);
    if (type instanceof protobuf.Type) for (const field of type.fieldsArray) keep(field.resolvedType);
  };
  for (const [name, calls] of Object.entries<readonly string[]>(DESCRIBED_CALLS)) {
    const service = root.lookupService(`${PACKAGE}.${name}`);
    keep(service);
    for (const method of service.methodsArray) {
      if (!calls.includes(method.name)) service.remove(method);
      keep(calls.includes(method.name) ? method.resolvedRequestType : null);
      keep(calls.includes(method.name) ? method.resolvedResponseType : null);
    }
  }
  const { nested = {}, ...rest } = (root.lookup(PACKAGE) as protobuf.Namespace).toJSON();
  const entries = Object.entries(nested).filter(([name]) => kept.has(name));
  return { nested: { [PACKAGE]: { ...rest, nested: Object.fromEntries(entries) } } };
}
