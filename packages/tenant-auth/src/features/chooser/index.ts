export type { TenantChooserOptions } from "./options";
export { tenantChooser } from "./plugin";
