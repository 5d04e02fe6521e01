import type { GenericEndpointContext } from "@better-auth/core";
import { APIError, isAPIError } from "better-auth/api";
import { runOnPlatform } from "better-auth-tenant";
import type { Log } from "../../monitoring/log";
import type { ServiceConfig } from "../../settings/service-config";
import type { Email } from "../email-template";
import type { LimitedMailer } from "../limited-mailer";
import { smtpReason } from "../mailer";
import type { ManagedTemplates } from "./managed-templates";

export type TestEmailParts = {
	mailer: LimitedMailer;
	email: ServiceConfig["email"];
	log: Pick<Log, "warn">;
};

export type Recipient = { email: string; name: string };

/**
 * The caller, and never anybody else. An operator may send emails to any address anyway. The address of a
 * tenant's user must be verified: otherwise it may be that of another person.
 */
async function requireOwnAddress(
	{ context }: GenericEndpointContext,
	{ actor, read }: ManagedTemplates,
): Promise<Recipient> {
	const find = () => context.internalAdapter.findUserById(actor.id ?? "");
	if (actor.kind === "administrator") {
		const operator = await runOnPlatform(find);
		if (operator) return operator;
	}
	if (actor.kind === "member") {
		const user = await read(find);
		if (user && !user.emailVerified) throw refusal("EMAIL_NOT_VERIFIED");
		if (user) return user;
	}
	throw refusal("NO_OWN_EMAIL");
}

/** Sends an email to the caller and waits for the response of the mail server. */
export async function sendToCaller(
	ctx: GenericEndpointContext,
	managed: ManagedTemplates,
	{ mailer, email, log }: TestEmailParts,
	render: (recipient: Recipient) => Email,
): Promise<{ to: string; sent: boolean }> {
	if (email === "none") throw refusal("MAIL_NOT_CONFIGURED");
	const recipient = await requireOwnAddress(ctx, managed);
	const isMember = managed.actor.kind === "member";
	const tenantId = isMember ? managed.tenantId : null;
	try {
		await mailer.sendAndWait({ kind: "template-test", tenantId, to: recipient.email }, () =>
			render(recipient),
		);
	} catch (error) {
		if (isAPIError(error)) throw error;
		log.warn({ err: error }, "the test email could not be sent");
		// The response of the mail server is about the service, and not for its tenants.
		throw refusal("MAIL_NOT_SENT", isMember ? undefined : smtpReason(error));
	}
	return { to: recipient.email, sent: email === "smtp" };
}

const ERRORS = {
	MAIL_NOT_CONFIGURED: ["CONFLICT", "SMTP_URL is not set, so the service cannot send emails"],
	NO_OWN_EMAIL: ["BAD_REQUEST", "A key has no email address. Sign in with an account"],
	EMAIL_NOT_VERIFIED: ["FORBIDDEN", "Verify your email address first, on your account page"],
	MAIL_NOT_SENT: ["BAD_GATEWAY", "The mail server has not accepted the email"],
} as const;

function refusal(code: keyof typeof ERRORS, reason?: string): APIError {
	const [status, message] = ERRORS[code];
	return new APIError(status, { code, message: reason ?? message });
}
