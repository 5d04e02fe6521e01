import { IMPORT_ROUTES } from "../../../src/imports/routes";
import { ROUTES as CORE_ROUTES } from "../../../src/routes";
import { SIGN_IN_ROUTES } from "../../../src/sign-ins/routes";
import { WEBHOOK_ROUTES } from "../../../src/webhooks/routes";

/** The endpoints of `tenantAuth()` and of the plugins of this package that add features to it. */
export const ROUTES = { ...CORE_ROUTES, ...IMPORT_ROUTES, ...SIGN_IN_ROUTES, ...WEBHOOK_ROUTES };

export type RouteName = keyof typeof ROUTES;
