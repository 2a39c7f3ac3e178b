/** The calls whose messages etcd3 encodes and decodes, by service: the rare ones. The bundled program has the descriptions of no others. */
export const DESCRIBED_CALLS = {
  KV: ['Compact'],
  Watch: [],
  Lease: ['LeaseGrant', 'LeaseRevoke'],
  Maintenance: ['Status'],
  Auth: ['Authenticate'],
} as const;
