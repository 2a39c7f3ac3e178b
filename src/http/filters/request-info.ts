import type { Filter } from '../pipeline.ts';

/** Reads method, path and query, once for all later steps. @throws ApiError 400. */
export const requestInfo: Filter = {
  name: 'request-info',
  run(exchange) {
    void exchange.info;
  },
};
