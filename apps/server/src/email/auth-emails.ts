import type { GenericEndpointContext as EndpointContext } from "@better-auth/core";
import { getCurrentTenant, type InvitationEmail, type Tenant } from "better-auth-tenant";
import { currentLanguage } from "../monitoring/request-record";
import type { ServiceConfig } from "../settings/service-config";
import { greeting, renderEmail } from "./email-template";
import type { Mailer } from "./mailer";
import { EMAIL_TEXTS } from "./texts";

/** What Better Auth and the plugin pass to an email callback. */
type EmailEvent = {
	user: { email: string; name: string };
	url: string;
	tenant?: Tenant | null;
};

type LinkConfig = Pick<ServiceConfig, "baseUrl" | "otherOrigins" | "tenantHosts">;

type Kind =
	| "verification"
	| "resetPassword"
	| "changeEmail"
	| "deleteAccount"
	| "existingAccount"
	| "signInLink"
	| "invitation";
type Content = { kind: Kind; text: string; url: string; notRequested: string };

/** Better Auth's email callbacks. An email is in the language of the browser that caused it. */
export type AuthEmails = ReturnType<typeof authEmails>;

export function authEmails(mailer: Mailer, config: LinkConfig) {
	const currentTexts = () => EMAIL_TEXTS[currentLanguage()];
	const send = (event: Omit<EmailEvent, "url">, { kind, text, url, notRequested }: Content) => {
		const texts = currentTexts();
		const { subject, button } = texts[kind];
		mailer.send(
			renderEmail({
				to: event.user.email,
				language: currentLanguage(),
				tenant: event.tenant ?? null,
				subject,
				paragraphs: [greeting(event.user.name, texts), text],
				link: { label: button, url },
				notRequested,
			}),
		);
	};
	return {
		verification: async (event: EmailEvent) => {
			const { verification, ignore } = currentTexts();
			send(event, {
				kind: "verification",
				text: verification.text,
				url: linkTo("/verify/done", event, config),
				notRequested: ignore,
			});
		},
		resetPassword: async (event: EmailEvent) => {
			const { resetPassword } = currentTexts();
			send(event, {
				kind: "resetPassword",
				text: resetPassword.text,
				url: linkTo("/new-password", event, config),
				notRequested: resetPassword.ignore,
			});
		},
		changeEmail: async (event: EmailEvent & { newEmail: string }) => {
			const { changeEmail, notYou } = currentTexts();
			send(event, {
				kind: "changeEmail",
				text: changeEmail.text(event.newEmail),
				url: linkTo("/verify/changed", event, config),
				notRequested: notYou,
			});
		},
		deleteAccount: async (event: EmailEvent) => {
			const { deleteAccount, notYou } = currentTexts();
			send(event, {
				kind: "deleteAccount",
				text: deleteAccount.text,
				url: deletionLink(event, config),
				notRequested: notYou,
			});
		},
		/** Nobody but a user gets an email, and no answer says who is one. */
		signInLink: async ({ email, url }: { email: string; url: string }, ctx?: EndpointContext) => {
			const found = await ctx?.context.internalAdapter.findUserByEmail(email);
			if (!found) return;
			const { signInLink, ignore } = currentTexts();
			const event = { user: found.user, url, tenant: await getCurrentTenant() };
			send(event, {
				kind: "signInLink",
				text: signInLink.text,
				url: linkTo("/account", event, config),
				notRequested: ignore,
			});
		},
		invitation: async ({ invitation, tenant, url, token }: InvitationEmail) => {
			const texts = currentTexts();
			const isDefault = new URL(url).pathname === "/";
			const page = `${config.baseUrl}/t/${tenant.slug}/invitation?${new URLSearchParams({ token })}`;
			send(
				{ user: { email: invitation.email, name: "" }, tenant },
				{
					kind: "invitation",
					text: texts.invitation.text(tenant.name),
					url: isDefault ? page : url,
					notRequested: texts.invitation.ignore,
				},
			);
		},
		/** The page says that a link was sent, as for an unknown email. So the known user gets an email too. */
		existingAccount: async ({ user }: Pick<EmailEvent, "user">) => {
			const { existingAccount } = currentTexts();
			const tenant = await getCurrentTenant();
			send(
				{ user, tenant },
				{
					kind: "existingAccount",
					text: existingAccount.text,
					url: signInUrl(tenant, config),
					notRequested: existingAccount.ignore,
				},
			);
		},
		/** For an operator, who is a user of no tenant. The console is in English. */
		operatorLink: (event: { to: string; name: string; url: string; isNew: boolean }) =>
			mailer.send(
				renderEmail({
					to: event.to,
					language: "en",
					tenant: null,
					subject: event.isNew ? "you are invited to the console" : "choose a new password",
					paragraphs: [
						greeting(event.name, EMAIL_TEXTS.en),
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
