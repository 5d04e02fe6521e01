import { tenantAuth } from "better-auth-tenant";
import { tenantChooser } from "better-auth-tenant/chooser";
import { tenantDomains } from "better-auth-tenant/domains";
import { tenantImports } from "better-auth-tenant/imports";
import { tenantInvitations } from "better-auth-tenant/invitations";
import { tenantLinks } from "better-auth-tenant/links";
import { tenantOpenId } from "better-auth-tenant/openid";
import { tenantSignIns } from "better-auth-tenant/sign-ins";
import { tenantWebhooks } from "better-auth-tenant/webhooks";
import type { ErrorTexts } from "../../../src/error-codes";
import { TENANT_ERRORS } from "../../../src/error-codes";
import { CHOOSER_ERRORS } from "../../../src/features/chooser/error-codes";
import { CHOOSER_ROUTES } from "../../../src/features/chooser/routes";
import { DOMAIN_ERRORS } from "../../../src/features/domains/error-codes";
import { DOMAIN_ROUTES } from "../../../src/features/domains/routes";
import { IMPORT_ERRORS } from "../../../src/features/imports/error-codes";
import { IMPORT_ROUTES } from "../../../src/features/imports/routes";
import { INVITATION_ERRORS } from "../../../src/features/invitations/error-codes";
import { INVITATION_ROUTES } from "../../../src/features/invitations/routes";
import { LINK_ERRORS } from "../../../src/features/links/error-codes";
import { LINK_ROUTES } from "../../../src/features/links/routes";
import { OPENID_ROUTES } from "../../../src/features/openid/routes";
import { SIGN_IN_ROUTES } from "../../../src/features/sign-ins/routes";
import { WEBHOOK_ERRORS } from "../../../src/features/webhooks/error-codes";
import { WEBHOOK_ROUTES } from "../../../src/features/webhooks/routes";
import { ROUTES as CORE_ROUTES } from "../../../src/routes";

/**
 * `tenantAuth()` and the plugins of this package that add features to it. Tests over all endpoints, tables,
 * actions and errors read these lists, so a new plugin is added in this file only.
 */

const core = tenantAuth();
const CHOOSER = { chooserURL: "/choose-tenant" };
const chooser = tenantChooser(CHOOSER);
const domains = tenantDomains();
const imports = tenantImports();
const invitations = tenantInvitations();
const links = tenantLinks();
const openId = tenantOpenId();
const signIns = tenantSignIns();
const webhooks = tenantWebhooks();

/** The plugins without `tenantAuth()`. */
export const makeFeatures = () => [
	tenantChooser(CHOOSER),
	tenantDomains(),
	tenantImports(),
	tenantInvitations(),
	tenantLinks(),
	tenantOpenId(),
	tenantSignIns(),
	tenantWebhooks(),
];

/** Their folders in `src`. */
export const FEATURE_FOLDERS = [
	"chooser",
	"domains",
	"imports",
	"invitations",
	"links",
	"openid",
	"sign-ins",
	"webhooks",
] as const;

export const ROUTES = {
	...CORE_ROUTES,
	...CHOOSER_ROUTES,
	...DOMAIN_ROUTES,
	...IMPORT_ROUTES,
	...INVITATION_ROUTES,
	...LINK_ROUTES,
	...OPENID_ROUTES,
	...SIGN_IN_ROUTES,
	...WEBHOOK_ROUTES,
};

export const ENDPOINTS = {
	...core.endpoints,
	...chooser.endpoints,
	...domains.endpoints,
	...imports.endpoints,
	...invitations.endpoints,
	...links.endpoints,
	...openId.endpoints,
	...signIns.endpoints,
	...webhooks.endpoints,
};

export const SCHEMA = {
	...core.schema,
	...domains.schema,
	...imports.schema,
	...invitations.schema,
	...links.schema,
	...signIns.schema,
	...webhooks.schema,
};

export const ERRORS: ErrorTexts = {
	...TENANT_ERRORS,
	...CHOOSER_ERRORS,
	...DOMAIN_ERRORS,
	...IMPORT_ERRORS,
	...INVITATION_ERRORS,
	...LINK_ERRORS,
	...WEBHOOK_ERRORS,
};

/** The actions of features, without those that nobody has by a role. */
export const FEATURE_ACTIONS: readonly string[] = makeFeatures().flatMap(({ tenant }) =>
	Object.entries(tenant.actions ?? {}).flatMap(([name, action]) =>
		(typeof action === "string" ? action : action.grant) === "app" ? [] : name,
	),
);
