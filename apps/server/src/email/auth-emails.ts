import type { Tenant } from "better-auth-tenant";
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
				link: { label: "Delete my account", url: deletionLink(event, config) },
				notRequested: "If this was not you, do not open the link, and choose a new password.",
			}),
	};
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
		tenant ? `${tenantPagesUrl(tenant, link, config)}${page}` : "/",
	);
	return link.href;
}

/** The tenant's page asks again, and lets the user sign in first. The endpoint answers only JSON. */
function deletionLink(event: EmailEvent, config: LinkConfig): string {
	const page = "/delete-account";
	const link = new URL(linkTo(page, event, config));
	const target = new URL(link.searchParams.get("callbackURL") ?? "", link);
	const pagesUrl = event.tenant && tenantPagesUrl(event.tenant, link, config);
	if (!pagesUrl || !isSamePage(target, `${pagesUrl}${page}`, config)) return link.href;
	const token = link.searchParams.get("token") ?? "";
	return `${pagesUrl}${page}?${new URLSearchParams({ token })}`;
}

/** The server may be called by several names. */
function isSamePage(target: URL, page: string, { baseUrl, otherOrigins }: LinkConfig): boolean {
	const { origin, pathname } = new URL(page);
	const isOwn = (name: string) => name === origin || [baseUrl, ...otherOrigins].includes(name);
	return isOwn(target.origin) && target.pathname === pathname;
}

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
