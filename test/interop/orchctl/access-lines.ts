import type { Line } from './lines.ts';

const exact = (line: string): Line => ({ line, like: 'exact' });

/** Who one is, what one may do, and manifests that say who may do what. */
export const ACCESS_LINES: readonly Line[] = [
  'auth whoami',
  'auth whoami -o name',
  'auth whoami --as=jane --as-group=b --as-uid=u',
  'auth whoami -o jsonpath={.status.userInfo}',
  'auth can-i list pods --as=jane',
  'auth can-i lst pods',
  'auth can-i list nonsense',
  'auth can-i list nodes',
  'auth can-i get /metrics --as=jane',
  'auth can-i get /metrics --subresource=a',
  'auth can-i --list pods',
  'auth can-i --list -q',
  'auth can-i list pods --no-headers',
  'auth reconcile -f access.yaml --dry-run=client',
  'auth reconcile -f access.yaml --dry-run=client -o yaml',
  'auth reconcile -f access.yaml --dry-run=server',
  'auth reconcile -f access.yaml',
  'auth reconcile -f access.yaml',
  'auth can-i --list --as=jane',
  'auth can-i --list --as=jane --no-headers',
  'auth can-i --list --as=system:serviceaccount:elsewhere:robot',
  'auth reconcile -f other-access.yaml --dry-run=client -o yaml',
  'auth reconcile -f other-access.yaml -o yaml',
  'auth reconcile -f other-access.yaml --remove-extra-permissions --remove-extra-subjects -o yaml',
  'auth reconcile -f other-role.yaml -o yaml',
  'auth reconcile -f many.yaml',
  'auth reconcile -f missing.yaml',
].map(exact);
