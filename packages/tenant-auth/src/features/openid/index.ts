export type { ConnectionTest } from "./connection-test";
export { type OpenIdAction, tenantOpenId } from "./plugin";
