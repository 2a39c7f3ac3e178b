import type { AdmissionRequest } from './admission.ts';

/** The annotations of a request's namespace. @throws ApiError 404 where there is none */
export type NamespaceAnnotations = (
  request: Pick<AdmissionRequest, 'namespace' | 'signal'>,
) => Promise<Readonly<Record<string, string>>>;
