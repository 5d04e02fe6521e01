import type { GenericEndpointContext as EndpointContext } from "@better-auth/core";
import { runWithAdapter, tryGetCurrentAuthEndpointContext } from "@better-auth/core/context";
import { getCurrentTenant, type Tenant } from "better-auth-tenant";
import type { InvitationEmail } from "better-auth-tenant/invitations";
import type { Language } from "../languages";
import type { Log } from "../monitoring/log";
import { currentLanguage } from "../monitoring/request-record";
import type { ServiceConfig } from "../settings/service-config";
import { greeting, renderEmail } from "./email-template";
import type { LimitedMailer } from "./limited-mailer";
import type { SignIn } from "./sign-in-facts";
import { chooseTemplate, defaultLanguageOf, readTemplates } from "./templates/choose-template";
import type { MailKind } from "./templates/mail-kinds";
import { renderMail } from "./templates/render-mail";
import { EMAIL_TEXTS } from "./texts";

/** What Better Auth and the plugin pass to an email callback. */
type EmailEvent = {
	user: { email: string; name: string };
	url: string;
	tenant?: Tenant | null;
};

type LinkConfig = Pick<ServiceConfig, "baseUrl" | "otherOrigins" | "tenantHosts">;

type Mail = { kind: MailKind; url: string; newEmail?: string; code?: string; signIn?: SignIn };

/** Better Auth's email callbacks. An email is in the language of the browser that caused it. */
export type AuthEmails = ReturnType<typeof authEmails>;

export function authEmails(mailer: LimitedMailer, config: LinkConfig, log: Pick<Log, "error">) {
	/** Does not wait for the template: the time must not tell whether the recipient exists. */
	const send = ({ user, tenant = null }: Omit<EmailEvent, "url">, { kind, ...values }: Mail) => {
		const language = currentLanguage();
		mailer.send({ kind, tenantId: tenant?.id ?? null, to: user.email }, async () => {
			const template = await templateFor(tenant, kind, language, log);
			return renderMail(kind, template, { tenant, to: user.email, name: user.name, ...values });
		});
	};
	return {
		verification: async (event: EmailEvent) =>
			send(event, {
				kind: "verification",
				url: behindButton("/verify", linkTo("/verify/done", event, config), event, config),
			}),
		resetPassword: async (event: EmailEvent) =>
			send(event, { kind: "reset-password", url: resetLink(event, config) }),
		changeEmail: async (event: EmailEvent & { newEmail: string }) =>
			send(event, {
				kind: "change-email",
				url: behindButton("/verify", linkTo("/verify/changed", event, config), event, config),
				newEmail: event.newEmail,
			}),
		deleteAccount: async (event: EmailEvent) =>
			send(event, { kind: "delete-account", url: deletionLink(event, config) }),
		/** Only a user gets an email. The response does not say whether there is one. */
		signInLink: async ({ email, url }: { email: string; url: string }, ctx?: EndpointContext) => {
			const found = await ctx?.context.internalAdapter.findUserByEmail(email);
			if (!found) return;
			const event = { user: found.user, url, tenant: await getCurrentTenant() };
			const link = linkTo("/account", event, config);
			send(event, { kind: "sign-in-link", url: behindButton("/email-link", link, event, config) });
		},
		secondFactorCode: async ({ user, code }: Pick<EmailEvent, "user"> & { code: string }) => {
			const tenant = await getCurrentTenant();
			// For somebody who did not ask for a code: another person knows their password.
			const url = pageUrl("/forgot-password", tenant, config);
			send({ user, tenant }, { kind: "second-factor-code", url, code });
		},
		invitation: async ({ invitation, tenant, url, token }: InvitationEmail) => {
			const isDefault = new URL(url).pathname === "/";
			const page = `${config.baseUrl}/t/${tenant.slug}/invitation?${new URLSearchParams({ token })}`;
			send(
				{ user: { email: invitation.email, name: "" }, tenant },
				{ kind: "invitation", url: isDefault ? page : url },
			);
		},
		/** A new invitation replaces the token of the old one, so it is refused if its email would be. */
		checkInvitation: ({ email, tenantId }: { email: string; tenantId: string }) =>
			mailer.requireSendable({ kind: "invitation", tenantId, to: email }),
		/** The page says that a link was sent, as for an unknown email. So the known user gets an email too. */
		existingAccount: async ({ user }: Pick<EmailEvent, "user">) => {
			const tenant = await getCurrentTenant();
			const url = pageUrl("/sign-in", tenant, config);
			send({ user, tenant }, { kind: "existing-account", url });
		},
		/** A sign-in must not fail because of its email. */
		newDevice: async ({ user, session }: { user: EmailEvent["user"]; session: SignIn }) => {
			try {
				const tenant = await getCurrentTenant();
				const url = pageUrl("/account", tenant, config);
				send({ user, tenant }, { kind: "new-device", url, signIn: session });
			} catch (error) {
				log.error({ err: error }, "email about a new device could not be made");
			}
		},
		/** For an operator, who is a user of no tenant. The console is in English. */
		operatorLink: (event: { to: string; name: string; url: string; isNew: boolean }) =>
			mailer.sendOrRefuse({ kind: "operator-link", tenantId: null, to: event.to }, () =>
				renderEmail({
					to: event.to,
					language: "en",
					tenant: null,
					subject: `${EMAIL_TEXTS.en.platform}: ${event.isNew ? "you are invited to the console" : "choose a new password"}`,
					body: [
						greeting(event.name, EMAIL_TEXTS.en),
						event.isNew
							? "You are invited to manage this authentication service. Use this link to choose a password. It is valid for one day."
							: "Your access to the console was reset. Use this link to choose a new password. It is valid for one day.",
						{ label: "Choose a password", url: event.url },
					],
					notRequested: "If you did not expect this, you can ignore this email.",
				}),
			),
	};
}

/** The mail matters more than its text: if the templates cannot be read, it has the built-in one. */
async function templateFor(
	tenant: Tenant | null,
	kind: MailKind,
	language: Language,
	log: Pick<Log, "error">,
) {
	const choose = (stored: Awaited<ReturnType<typeof readTemplates>>) =>
		chooseTemplate(stored, kind, language, defaultLanguageOf(tenant));
	const context = tryGetCurrentAuthEndpointContext()?.context;
	try {
		if (!context) throw new Error("there is no running call");
		// Not in the transaction of the call, which may end before.
		const read = () => readTemplates(context, tenant, [kind]);
		return choose(await runWithAdapter(context.adapter, read));
	} catch (error) {
		log.error({ err: error }, "templates of mails could not be read");
		return choose({ ofTenant: [], ofService: [] });
	}
}

function pageUrl(page: string, tenant: Tenant | null, config: LinkConfig): string {
	const { baseUrl, tenantHosts } = config;
	if (!tenant) return baseUrl;
	return `${tenantHosts?.originOf(tenant.slug) ?? `${baseUrl}/t/${tenant.slug}`}${page}`;
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
	link.searchParams.set("callbackURL", ownPageUrl(page, tenant, link, config));
	return link.href;
}

const ownPageUrl = (page: string, tenant: Tenant | null, link: URL, config: LinkConfig): string =>
	tenant ? `${tenantPagesUrl(tenant, link, config)}${page}` : operatorPageUrl(page, config);

/**
 * The link to a new password. Better Auth adds the token to the page that the caller asked for, and anybody
 * may ask for a reset. So the link leads to the tenant's own page, on the origin of the service only, and
 * that page goes on to the one that was asked for, without the token.
 */
function resetLink(event: EmailEvent, config: LinkConfig): string {
	const page = "/new-password";
	const link = new URL(linkTo(page, event, config));
	const requested = link.searchParams.get("callbackURL") ?? "";
	const target = URL.canParse(requested, link.href) ? new URL(requested, link) : null;
	const own = ownPageUrl(page, event.tenant ?? null, link, config);
	if (target && isSamePage(target, own, config)) return link.href;
	const next = target ? `?${new URLSearchParams({ callbackURL: requested })}` : "";
	link.searchParams.set("callbackURL", `${own}${next}`);
	return link.href;
}

/**
 * A page of the tenant with a button that opens the link. Programs that look into emails open each link, and
 * would use it up, or verify an email that nobody has read.
 */
function behindButton(
	page: string,
	href: string,
	{ tenant }: EmailEvent,
	{ tenantHosts }: LinkConfig,
): string {
	const link = new URL(href);
	if (!tenant) return link.href;
	const isTenantHost = link.origin === tenantHosts?.originOf(tenant.slug);
	// The page would be on another host, which accepts only redirects to itself.
	if (tenantHosts && !isTenantHost) return link.href;
	const pages = isTenantHost ? link.origin : `${link.origin}/t/${tenant.slug}`;
	return `${pages}${page}?${new URLSearchParams({ link: link.search.slice(1) })}`;
}

/** The tenant's page asks again, and lets the user sign in first. The endpoint returns only JSON. */
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
