import type { FactPackage, Facts } from './facts.ts';

/** A package of the facts under the names that `schemas/` gives it. */
export interface ImportedPackage {
  /** As the facts name it, e.g. `k8s.io.api.apps.v1`. */
  readonly factName: string;
  /** Prefix of its OpenAPI components, e.g. `io.k8s.api.apps.v1`. */
  readonly component: string;
  /** Folder and file below `schemas/types`, and how other files refer to it: `apps`, `v1`. */
  readonly folder: string;
  readonly file: string;
  readonly content: FactPackage;
}

/** Packages whose types are scalars here, and those that exist for upstream's own tests. */
const SKIPPED = new Set([
  'k8s.io.apimachinery.pkg.api.resource',
  'k8s.io.apimachinery.pkg.runtime',
  'k8s.io.apimachinery.pkg.runtime.schema',
  'k8s.io.apimachinery.pkg.util.intstr',
  'k8s.io.apimachinery.pkg.apis.testapigroup.v1',
  'k8s.io.apiserver.pkg.apis.example.v1',
  'k8s.io.apiserver.pkg.apis.example2.v1',
]);

/** The packages to import, in the order of the facts. */
export function importedPackages(facts: Facts): ImportedPackage[] {
  return Object.entries(facts.packages)
    .filter(([name]) => !SKIPPED.has(name))
    .map(([factName, content]) => {
      const component = componentPackage(factName);
      const [folder = '', file = ''] = component.split('.').slice(-2);
      return { factName, component, folder, file, content };
    });
}

/** `k8s.io.kube_aggregator.pkg…` → `io.k8s.kube-aggregator.pkg…`. */
function componentPackage(factName: string): string {
  const path = factName.replace(/^k8s\.io\./, 'io.k8s.');
  return path
    .replace('apiextensions_apiserver', 'apiextensions-apiserver')
    .replace('kube_aggregator', 'kube-aggregator');
}
