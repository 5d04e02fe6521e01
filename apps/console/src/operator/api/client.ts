import { createApiClient } from "../../api/client";

/**
 * The cookie of the console identifies the operator, and no key is kept in the browser. With the header,
 * a session of a tenant's user in the same browser is ignored.
 */
export const client = createApiClient({ headers: { "x-console": "yes" } });
