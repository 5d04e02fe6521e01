import { getCurrentTenant, type Tenant } from "better-auth-tenant";
import type { ServiceConfig } from "../settings/service-config";
import { type EmailContent, greeting, renderEmail } from "./email-template";
import type { Mailer } from "./mailer";

/** What Better Auth and the plugin pass to an email callback. */
type EmailEvent = {
	user: { email: string; name: string };
	url: string;
	tenant?: Tenant | null;
};

type LinkConfig = Pick<ServiceConfig, "baseUrl" | "otherOrigins" | "tenantHosts">;

/** Better Auth's email callbacks. */
export function authEmails(mailer: Mailer, config: LinkConfig) {
	const send = (event: EmailEvent, content: Omit<EmailContent, "to" | "tenant">) =>
		mailer.send(
			renderEmail({
				to: event.user.email,
				tenant: event.tenant ?? null,
				...content,
				paragraphs: [greeting(event.user.name), ...content.paragraphs],
			}),
		);
	return {
		/** The answer to the sign-up is the same as for a new address, so only this email tells. */
		existingUser: async ({ user }: Pick<EmailEvent, "user">) => {
			const tenant = await getCurrentTenant();
			send(
				{ user, url: "", tenant },
				{
					subject: "you already have an account",
					paragraphs: [
						"Someone wanted to sign up with this email, but it already has an account. You can sign in, or choose a new password there if you have forgotten yours.",
					],
					link: { label: "Sign in", url: signInUrl(tenant, config) },
					notRequested: "If this was not you, you can ignore this email. Nothing has changed.",
				},
			);
		},
		verification: async (event: EmailEvent) =>
			send(event, {
				subject: "verify your email",
				paragraphs: ["Please verify that this is your email address."],
				link: { label: "Verify email", url: linkTo("/verify/done", event, config) },
				notRequested: "If you did not request this, you can ignore this email.",
			}),
		resetPassword: async (event: EmailEvent) =>
			send(event, {
				subject: "choose a new password",
				paragraphs: ["Use this link to choose a new password. It is valid for one hour."],
				link: { label: "Choose a new password", url: linkTo("/new-password", event, config) },
				notRequested:
					"If you did not request this, you can ignore this email. Your password stays the same.",
			}),
		changeEmail: async (event: EmailEvent & { newEmail: string }) =>
			send(event, {
				subject: "confirm your new email",
				paragraphs: [
					`Someone who is signed in to your account wants to change its email to ${event.newEmail}.`,
				],
				link: { label: "Change my email", url: linkTo("/verify/changed", event, config) },
				notRequested: "If this was not you, do not open the link, and choose a new password.",
			}),
		deleteAccount: async (event: EmailEvent) =>
			send(event, {
				subject: "delete your account",
				paragraphs: ["Use this link to delete your account. This cannot be undone."],
				link: { label: "Delete my account", url: linkTo("/deleted", event, config) },
				notRequested: "If this was not you, do not open the link, and choose a new password.",
			}),
		/** For an operator, who is a user of no tenant. */
		operatorLink: (event: { to: string; name: string; url: string; isNew: boolean }) =>
			mailer.send(
				renderEmail({
					to: event.to,
					tenant: null,
					subject: event.isNew ? "you are invited to the console" : "choose a new password",
					paragraphs: [
						greeting(event.name),
						event.isNew
							? "You are invited to manage this authentication service. Use this link to choose a password. It is valid for one day."
							: "Your access to the console was reset. Use this link to choose a new password. It is valid for one day.",
					],
					link: { label: "Choose a password", url: event.url },
					notRequested: "If you did not expect this, you can ignore this email.",
				}),
			),
	};
}

function signInUrl(tenant: Tenant | null, { baseUrl, tenantHosts }: LinkConfig): string {
	if (!tenant) return baseUrl;
	return `${tenantHosts?.originOf(tenant.slug) ?? `${baseUrl}/t/${tenant.slug}`}/sign-in`;
}

/**
 * The link of an email. It leads to the page that the caller asked for, or by default to the tenant's
 * own page. It never leads to a page of another tenant: the link contains a token, and on its own host
 * the other tenant may have more than our pages.
 */
function linkTo(page: string, { url, tenant = null }: EmailEvent, config: LinkConfig): string {
	const link = new URL(url);
	const requested = link.searchParams.get("callbackURL") ?? "";
	// If the caller does not ask for a page, Better Auth leaves it empty or uses the root, where users
	// find nothing.
	const isDefault = ["", "/"].includes(requested);
	if (!isDefault && !isPageOfOtherTenant(requested, link, tenant, config)) return url;
	link.searchParams.set(
		"callbackURL",
		tenant ? `${tenantPagesUrl(tenant, link, config)}${page}` : operatorPageUrl(page, config),
	);
	return link.href;
}

/** A user of no tenant is an operator, whose pages are in the console. */
const operatorPageUrl = (page: string, { baseUrl }: LinkConfig) =>
	page === "/new-password" ? `${baseUrl}/console/new-password` : `${baseUrl}/console`;

/**
 * The tenant's own host only accepts redirects to itself, and so does the server's host. On the
 * server's host, the link leads to the page that redirects to the tenant's host.
 */
function tenantPagesUrl({ slug }: Tenant, link: URL, { baseUrl, tenantHosts }: LinkConfig): string {
	return link.origin === tenantHosts?.originOf(slug) ? link.origin : `${baseUrl}/t/${slug}`;
}

/** @param target an absolute URL, or a path on the host of the link */
function isPageOfOtherTenant(
	target: string,
	link: URL,
	tenant: Tenant | null,
	{ baseUrl, otherOrigins }: LinkConfig,
): boolean {
	if (!URL.canParse(target, link.href)) return false;
	const { origin, pathname } = new URL(target, link);
	const [, slug] = /^\/t\/([^/]*)/.exec(pathname) ?? [];
	const isOwnOrigin = [baseUrl, ...otherOrigins].includes(origin);
	return isOwnOrigin && slug !== undefined && slug !== tenant?.slug;
}
