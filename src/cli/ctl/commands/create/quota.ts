import { canonicalQuantity } from '../../../../meta/quantity.ts';
import { defineCommand } from '../../command.ts';
import { requireName } from '../../create/name.ts';
import { CtlError } from '../../errors.ts';
import { CREATE_FLAGS, createObject } from '../../objects/create-object.ts';

export const quota = defineCommand({
  usage: 'NAME [--hard=RESOURCE=QUANTITY,...] [--scopes=SCOPE,...]',
  description: 'Create a quota: how much of what a namespace may have.',
  examples: `
    orchctl create quota small --hard=cpu=4,memory=8Gi,pods=20
    orchctl create quota best-effort --hard=pods=10 --scopes=BestEffort`,
  flags: {
    ...CREATE_FLAGS,
    hard: { type: 'text', default: '', help: 'The limits, as RESOURCE=QUANTITY, between commas.' },
    scopes: { type: 'text', default: '', help: 'Only what all these scopes have, between commas.' },
  },
  async run({ context, flags, args }) {
    const name = requireName(args);
    const { hard, scopes } = flags;
    await createObject(context, flags, {
      object: {
        apiVersion: 'v1',
        kind: 'ResourceQuota',
        metadata: { name },
        spec: {
          ...(hard === '' ? {} : { hard: limitsOf(hard) }),
          ...(scopes === '' ? {} : { scopes: scopesOf(scopes) }),
        },
        status: {},
      },
      inNamespace: true,
    });
  },
});

function limitsOf(text: string): Record<string, string> {
  const limits: Record<string, string> = {};
  for (const statement of text.split(',')) {
    const [resource = '', quantity, more] = statement.split('=');
    if (quantity === undefined || more !== undefined)
      throw new CtlError(`Invalid argument syntax ${statement}, expected <resource>=<value>`);
    const canonical = canonicalQuantity(quantity);
    if (canonical === undefined)
      throw new CtlError(
        `${statement}: ${JSON.stringify(quantity)} is not a quantity such as 4, 500m or 8Gi`,
      );
    limits[resource] = canonical;
  }
  return limits;
}

function scopesOf(text: string): string[] {
  const scopes = text.split(',');
  if (scopes.includes('')) throw new CtlError('invalid resource quota scope ""');
  return scopes;
}
