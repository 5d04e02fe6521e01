import { formatCount, formatTime } from "../../format";
import { providerOf } from "../../providers";
import { MAIL_KINDS, MAIL_LANGUAGES } from "../api/mails";
import type { AuditEvent } from "../api/service";

type Detail = NonNullable<AuditEvent["detail"]>;
type Facts = Pick<AuditEvent, "action" | "targetId" | "targetEmail" | "detail">;

/** What the event is about, by name: a user, a provider, an application. `null` if no name is known. */
export function subjectOf({ action, targetId, targetEmail, detail }: Facts): string | null {
	if (targetEmail) return targetEmail;
	if (targetId && /^(oauth-config|connection):/.test(action)) return providerOf(targetId).name;
	if (targetId && /mail-template/.test(action)) return nameIn(MAIL_KINDS, targetId);
	// The name of a tenant is shown as the tenant.
	if (action.startsWith("tenant:")) return null;
	const name = detail?.name ?? detail?.email ?? detail?.host;
	return typeof name === "string" ? name : null;
}

/** What changed, in words. Empty if the event says no more than its name and its subject. */
export function describeDetail(event: Facts): string {
	if (!event.detail) return "";
	const subject = subjectOf(event);
	return (
		flatten(event.detail)
			.filter(([, value]) => subject === null || value !== subject)
			// An event may say that other fields than the named ones have not changed.
			.filter(([name, value]) => name !== "fields" || (Array.isArray(value) && value.length > 0))
			.map(([name, value]) => describeFact(name, value))
			.join(" · ")
	);
}

/** `{ signUp: { mode: "open" } }` has the fact `signUp.mode`. */
function flatten(detail: Detail, prefix = ""): [string, unknown][] {
	return Object.entries(detail).flatMap(([name, value]): [string, unknown][] =>
		value !== null && typeof value === "object" && !Array.isArray(value)
			? flatten(value as Detail, `${prefix}${name}.`)
			: [[`${prefix}${name}`, value]],
	);
}

const LABELS: Record<string, string> = {
	name: "Name",
	slug: "Slug",
	fields: "Changed",
	enabled: "Enabled",
	reason: "Reason",
	role: "Role",
	before: "Before",
	host: "Host",
	purpose: "Used for",
	primary: "Primary",
	discoverable: "Found by email",
	eventTypes: "Events",
	responseStatus: "Status of the response",
	overlapHours: "Hours that the old secret works",
	type: "Type",
	firstParty: "Own app",
	clientId: "Client ID",
	sessionId: "Session",
	invitationId: "Invitation",
	deliveryId: "Delivery",
	providerId: "Provider",
	tenantId: "Tenant",
	scopes: "Scopes",
	expiresAt: "Expires",
	withoutSecondFactorUntil: "Without a second factor until",
	events: "Events",
	language: "Language",
	subject: "Subject",
	text: "Text",
	button: "Button",
	logo: "Logo",
	darkLogo: "Logo for dark pages",
	favicon: "Icon",
	branding: "Branding",
	"signUp.mode": "Who may sign up",
	"signUp.emailDomains": "Email domains",
	"signIn.methods": "Sign-in methods",
	"signIn.providers": "Providers",
	"signIn.fallbackToGlobal": "Providers of the service",
	"password.minLength": "Shortest password",
	"password.rejectBreached": "Breached passwords rejected",
	"session.lifetime": "Seconds until a session ends",
	"session.idleTime": "Seconds until an idle session ends",
	"secondFactor.required": "Second factor required",
};

function describeFact(name: string, value: unknown): string {
	// Metadata may be private, so the event only says that it changed.
	if (name === "metadata" && value === true) return "Metadata changed";
	if (name === "responseStatus" && value === null) return "No response";
	return `${LABELS[name] ?? name}: ${describeValue(name, value)}`;
}

function describeValue(name: string, value: unknown): string {
	if (value === null) return "not set";
	if (typeof value === "boolean") return value ? "yes" : "no";
	if (typeof value === "number") return formatCount(value);
	if (Array.isArray(value) && value.length === 0) return "none";
	if (Array.isArray(value)) return value.map((one) => describeValue(name, one)).join(", ");
	const text = String(value);
	if (name === "language") return nameIn(MAIL_LANGUAGES, text);
	return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) ? formatTime(text) : text;
}

const nameIn = (names: Record<string, string>, key: string): string =>
	Object.hasOwn(names, key) ? (names[key] as string) : key;
