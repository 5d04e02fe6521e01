import type { Tenant } from "better-auth-tenant";
import { greeting } from "./greeting";
import { type Letter, writeLetter } from "./letter";
import type { Mailer } from "./mailer";
import type { TenantPages } from "./tenant-pages";

/** What Better Auth and the tenants' plugin tell of a mail. */
type Occasion = {
	user: { email: string; name: string };
	url: string;
	tenant?: Tenant | null;
};

/** Better Auth's mails, in words. */
export function authMails(mailer: Mailer, pages: TenantPages) {
	/** A caller need not say where a link is to lead in the end: the tenant has pages for it. */
	const linkTo = (page: string, { url, tenant = null }: Occasion) => {
		const link = new URL(url);
		const asked = link.searchParams.get("callbackURL") ?? "";
		// Without one, Better Auth leaves it empty or takes the root, where nothing is for users.
		const isOpen = ["", "/"].includes(asked);
		// The token in the link is of no concern to other tenants, and on their own hosts they might
		// have more than our pages.
		if (!isOpen && !pages.isAnothers(asked, link, tenant)) return url;
		link.searchParams.set("callbackURL", tenant ? `${pages.placeFor(tenant, link)}${page}` : "/");
		return link.href;
	};
	const post = (occasion: Occasion, letter: Omit<Letter, "to" | "tenant">) =>
		mailer.send(
			writeLetter({
				to: occasion.user.email,
				tenant: occasion.tenant ?? null,
				...letter,
				paragraphs: [greeting(occasion.user.name), ...letter.paragraphs],
			}),
		);
	return {
		verification: async (occasion: Occasion) =>
			post(occasion, {
				subject: "confirm your address",
				paragraphs: ["Please confirm that this is your address."],
				link: { label: "Confirm address", url: linkTo("/verify/done", occasion) },
				otherwise: "If you did not ask for this, you need not do anything.",
			}),
		resetPassword: async (occasion: Occasion) =>
			post(occasion, {
				subject: "choose a new password",
				paragraphs: ["With this link you can choose a new password. It works for an hour."],
				link: { label: "Choose a new password", url: linkTo("/new-password", occasion) },
				otherwise:
					"If you did not ask for this, you need not do anything: your password stays as it is.",
			}),
		changeEmail: async (occasion: Occasion & { newEmail: string }) =>
			post(occasion, {
				subject: "confirm your new address",
				paragraphs: [
					`Somebody signed in as you wants to change your address to ${occasion.newEmail}.`,
				],
				link: { label: "Change my address", url: linkTo("/verify/changed", occasion) },
				otherwise: "If that was not you, do not follow the link, and choose a new password.",
			}),
		deleteAccount: async (occasion: Occasion) =>
			post(occasion, {
				subject: "delete your account",
				paragraphs: ["With this link your account is deleted for good. That cannot be undone."],
				link: { label: "Delete my account", url: linkTo("/deleted", occasion) },
				otherwise: "If that was not you, do not follow the link, and choose a new password.",
			}),
	};
}
