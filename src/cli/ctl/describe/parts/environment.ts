import type { Description } from '../description.ts';
import type { Container, EnvironmentVariable, KeyReference, Metadata, Resources } from '../objects.ts';
import { amountOf, thousandths, units } from './amounts.ts';

/** The fields of its own metadata that a container's variable can be shown with. */
const SHOWN_FIELDS: Readonly<Record<string, 'name' | 'namespace'>> = {
  'metadata.name': 'name',
  'metadata.namespace': 'namespace',
};
const HUGE_PAGES = 'hugepages-';
/** What stands for a limit that there is not. */
const NODE_BOUND = ['limits.cpu', 'limits.memory'];

/** Sources of variables, and variables. @param pod of the container, where it is one's and not a template's. */
export function writeEnvironment(page: Description, container: Container, pod: Metadata | undefined): void {
  const { env = [], envFrom = [] } = container;
  if (envFrom.length > 0) page.line('Environment Variables from:', 2);
  for (const { prefix = '', configMapRef, secretRef } of envFrom) {
    const source = configMapRef ?? secretRef;
    const kind = configMapRef !== undefined ? 'ConfigMap' : secretRef !== undefined ? 'Secret' : '';
    const from = prefix === '' ? kind : `${kind} with prefix '${prefix}'`;
    page.line(`${source?.name ?? ''}\t${from}\tOptional: ${source?.optional === true}`, 3);
  }
  page.line(env.length === 0 ? 'Environment:\t<none>' : 'Environment:', 2);
  for (const variable of env) writeVariable(page, variable, { resources: container.resources, pod });
}

interface VariableOwner {
  readonly resources: Resources | undefined;
  readonly pod: Metadata | undefined;
}

function writeVariable(
  page: Description,
  { name = '', value = '', valueFrom }: EnvironmentVariable,
  owner: VariableOwner,
): void {
  if (valueFrom === undefined) {
    const [first = '', ...others] = value.split('\n');
    page.row(name, first, 3);
    for (const line of others) page.line(`\t${line}`, 3);
    return;
  }
  const { fieldRef, resourceFieldRef, secretKeyRef, configMapKeyRef } = valueFrom;
  if (fieldRef !== undefined) {
    const { apiVersion = '', fieldPath = '' } = fieldRef;
    const shown = SHOWN_FIELDS[fieldPath];
    const found = shown === undefined ? '' : (owner.pod?.[shown] ?? '');
    page.row(name, `${found} (${apiVersion}:${fieldPath})`, 3);
  } else if (resourceFieldRef !== undefined) {
    const { resource = '', divisor } = resourceFieldRef;
    page.row(name, `${amountText(resource, divisor, owner.resources)} (${resource})`, 3);
  } else if (secretKeyRef !== undefined) page.row(name, keyText(secretKeyRef, 'in secret'), 3);
  else if (configMapKeyRef !== undefined) page.row(name, keyText(configMapKeyRef, 'of config map'), 3);
}

function keyText({ name = '', key = '', optional }: KeyReference, where: string): string {
  return `<set to the key '${key}' ${where} '${name}'>\tOptional: ${optional === true}`;
}

function amountText(resource: string, divisor: string | undefined, resources: Resources | undefined): string {
  const [list = '', ...rest] = resource.split('.');
  const name = rest.join('.');
  const known = ['cpu', 'memory', 'ephemeral-storage'].includes(name) || name.startsWith(HUGE_PAGES);
  if (!known || (list !== 'limits' && list !== 'requests')) return '';
  const given = amountOf(divisor);
  const unit = given.unscaled === 0n ? amountOf('1') : given;
  const measure = name === 'cpu' ? thousandths : units;
  const amount = Math.ceil(measure(amountOf(resources?.[list]?.[name])) / measure(unit));
  return amount === 0 && NODE_BOUND.includes(resource) ? 'node allocatable' : String(amount);
}
