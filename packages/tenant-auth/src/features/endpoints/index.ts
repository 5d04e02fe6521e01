import type { ROUTES, RouteName } from "../../routes";
import { eraseTenantAuditEvents, listTenantAuditEvents } from "./audit-events";
import { currentTenant } from "./current-tenant";
import { impersonateTenantUser } from "./impersonation";
import {
	createTenantUser,
	disableTenantUser,
	enableTenantUser,
	removeTenantPasskeys,
	removeTenantSecondFactor,
	updateTenantUser,
} from "./managed-users";
import {
	deleteTenantOAuthConfig,
	effectiveTenantOAuthConfigs,
	listTenantOAuthConfigs,
	registerTenantOAuthConfig,
	updateTenantOAuthConfig,
} from "./oauth-configs";
import { tenantPermissions } from "./permissions";
import { getTenantPolicy, updateTenantPolicy } from "./policy";
import { listTenantSessions, revokeTenantSession, revokeTenantUserSessions } from "./sessions";
import { tenantOAuthCallback } from "./sign-in/callback";
import { signInEmailTenant, signUpEmailTenant } from "./sign-in/email";
import { createTenantSignInLink, openTenantSignInLink } from "./sign-in/link";
import { tenantLoginOptions } from "./sign-in/login-options";
import { signInSocialTenant } from "./sign-in/social";
import {
	createTenant,
	deleteTenant,
	getTenant,
	listTenants,
	resumeTenant,
	suspendTenant,
	updateTenant,
} from "./tenants";
import { deleteTenantUser, getTenantUser, listTenantUsers, sendTenantPasswordReset } from "./users";

/** A route without its endpoint does not compile. */
type EveryRoute = {
	[Name in RouteName]: { path: (typeof ROUTES)[Name]["path"] };
};

export const endpoints = {
	createTenant,
	getTenant,
	listTenants,
	updateTenant,
	deleteTenant,
	suspendTenant,
	resumeTenant,
	getTenantPolicy,
	updateTenantPolicy,
	currentTenant,
	tenantPermissions,
	tenantLoginOptions,
	signUpEmailTenant,
	signInEmailTenant,
	signInSocialTenant,
	tenantOAuthCallback,
	registerTenantOAuthConfig,
	listTenantOAuthConfigs,
	updateTenantOAuthConfig,
	deleteTenantOAuthConfig,
	effectiveTenantOAuthConfigs,
	listTenantUsers,
	getTenantUser,
	createTenantUser,
	updateTenantUser,
	disableTenantUser,
	enableTenantUser,
	impersonateTenantUser,
	deleteTenantUser,
	revokeTenantUserSessions,
	sendTenantPasswordReset,
	removeTenantSecondFactor,
	removeTenantPasskeys,
	createTenantSignInLink,
	openTenantSignInLink,
	listTenantSessions,
	revokeTenantSession,
	listTenantAuditEvents,
	eraseTenantAuditEvents,
} satisfies EveryRoute & {
	tenantOAuthCallback: object;
	openTenantSignInLink: object;
};

export type Endpoints = typeof endpoints;
