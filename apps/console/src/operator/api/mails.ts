import { queryOptions } from "@tanstack/react-query";
import { type ApiClient, callApi } from "../../api/client";

/** As `apps/server/src/email/templates` has them. */
export const MAIL_KINDS = {
	verification: "Verify the email",
	"reset-password": "New password",
	"change-email": "Change the email",
	"delete-account": "Delete the account",
	"existing-account": "Account exists already",
	"sign-in-link": "Sign-in link",
	"second-factor-code": "Code of a second step",
	"new-device": "Sign-in at a new device",
	invitation: "Invitation",
} as const;

export const MAIL_LANGUAGES = {
	en: "English",
	de: "German",
	fr: "French",
	es: "Spanish",
	ja: "Japanese",
} as const;

export type MailName = { kind: keyof typeof MAIL_KINDS; language: keyof typeof MAIL_LANGUAGES };
export type MailContent = { subject: string; text: string; button: string };

export type MailTemplate = MailName &
	MailContent & {
		source: "tenant" | "service" | "built-in";
		writtenIn: MailName["language"];
		placeholders: string[];
		updatedAt: string | null;
	};

export type MailPreview = { subject: string; text: string; html: string };

const PATH = "/tenant/mail-template";

export const mailsKey = (tenantId: string) => ["mails", tenantId];

export const mailCalls = (client: ApiClient) => {
	const post = <Data>(path: string, body: object) =>
		callApi(client.$fetch<Data>(`${PATH}/${path}`, { method: "POST", body }));
	return {
		mailTemplatesQuery: (tenantId: string) =>
			queryOptions({
				queryKey: [...mailsKey(tenantId), "list"],
				queryFn: () =>
					callApi(client.$fetch<MailTemplate[]>(`${PATH}/list`, { query: { tenantId } })),
			}),
		mailPreviewQuery: (tenantId: string, name: MailName, content: MailContent) =>
			queryOptions({
				queryKey: [...mailsKey(tenantId), "preview", name, content],
				queryFn: () => post<MailPreview>("preview", { tenantId, ...name, ...content }),
				retry: false,
			}),
		setMailTemplate: (tenantId: string, name: MailName, content: MailContent) =>
			post<MailTemplate>("set", { tenantId, ...name, ...content }),
		/** To the caller, and never to anybody else. */
		sendMailTest: (tenantId: string, name: MailName, content: MailContent) =>
			post<{ to: string; sent: boolean }>("send-test", { tenantId, ...name, ...content }),
		resetMailTemplate: (tenantId: string, name: MailName) =>
			post<MailTemplate>("reset", { tenantId, ...name }),
	};
};
