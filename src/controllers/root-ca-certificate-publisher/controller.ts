import { sameJson } from '../../meta/same-json.ts';
import { rowOf, type Controller } from '../controller.ts';
import { keepInEachNamespace } from '../in-each-namespace.ts';

const DESCRIPTION =
  'The certificate authority by which workloads know the API server, at its addresses inside the cluster.';

/**
 * Publishes the authority of the server's certificate as a ConfigMap in every namespace, which pods mount beside their
 * tokens; mends it where somebody changed it.
 *
 * @param authority certificates, PEM
 */
export function rootCaPublisher(authority: string): Controller {
  return {
    name: 'root-ca-certificate-publisher-controller',
    start(parts) {
      const resource = rowOf(parts.schemas, ['', 'v1', 'configmaps']);
      const annotation = parts.names.get('annotation.description');
      const data = { 'ca.crt': authority };
      return keepInEachNamespace(parts, {
        resource,
        name: parts.names.get('configMap.root-ca'),
        make: () => ({ metadata: { annotations: { [annotation]: DESCRIPTION } }, data }),
        mend(object) {
          const { metadata } = object;
          if (sameJson(object['data'], data) && metadata.annotations?.[annotation]) return false;
          object['data'] = data;
          metadata.annotations = { ...metadata.annotations, [annotation]: DESCRIPTION };
          return true;
        },
      });
    },
  };
}
