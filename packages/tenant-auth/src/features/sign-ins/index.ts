export { type SignInAction, type TenantSignInsOptions, tenantSignIns } from "./plugin";
export type { TenantSignIn } from "./sign-in-log";
