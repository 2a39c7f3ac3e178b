import { formatGroupVersion } from '../../../../meta/object.ts';
import { defineCommand } from '../../command.ts';
import { ingressSpec, serviceBackend } from '../../create/ingress-rules.ts';
import { keyValues } from '../../create/key-values.ts';
import { requireName } from '../../create/name.ts';
import { CtlError } from '../../errors.ts';
import { CREATE_FLAGS, createObject } from '../../objects/create-object.ts';

export const ingress = defineCommand({
  usage: 'NAME --rule=HOST/PATH=SERVICE:PORT[,tls[=SECRET]] [--default-backend=SERVICE:PORT]',
  description: 'Create an ingress: which service answers at which host and path.',
  examples: `
    orchctl create ingress shop --class=public --rule='shop.example.com/*=web:80,tls=shop-cert'
    orchctl create ingress any --default-backend=web:http`,
  flags: {
    ...CREATE_FLAGS,
    class: { type: 'text', default: '', help: 'The ingress class.' },
    rule: {
      type: 'list',
      help: 'HOST/PATH=SERVICE:PORT[,tls[=SECRET]]; a path that ends in * stands for all that begin so. Can be repeated.',
    },
    'default-backend': { type: 'text', default: '', help: 'What answers elsewhere, as SERVICE:PORT.' },
    annotation: { type: 'list', help: 'KEY=VALUE; can be repeated.' },
  },
  async run({ context, flags, args }) {
    const name = requireName(args);
    const { class: ingressClassName, rule: rules, 'default-backend': fallback } = flags;
    if (fallback === '' && rules.length === 0)
      throw new CtlError(
        'not enough information provided: every ingress has to either specify a default-backend (which catches all traffic) or a list of rules (which catch specific paths)',
      );
    const spec = ingressSpec(rules);
    const annotations = keyValues(
      flags.annotation,
      (text) => `annotation ${text} is invalid and should be in format key=[value]`,
    );
    const names = await context.names();
    await createObject(context, flags, {
      object: {
        apiVersion: formatGroupVersion(names.get('group.networking'), 'v1'),
        kind: 'Ingress',
        metadata: { name, ...(flags.annotation.length === 0 ? {} : { annotations }) },
        spec: {
          ...(ingressClassName === '' ? {} : { ingressClassName }),
          ...(fallback === '' ? {} : { defaultBackend: serviceBackend(fallback) }),
          ...spec,
        },
        status: { loadBalancer: {} },
      },
      inNamespace: true,
    });
  },
});
