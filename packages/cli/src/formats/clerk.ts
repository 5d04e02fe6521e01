import { decodeTotpSecret } from "better-auth-tenant/imports";
import {
	type Convert,
	dateOf,
	type ExportedRecord,
	ifTrue,
	joinName,
	leftOver,
	listOf,
	textOf,
	toUser,
} from "./converted";

const TAKEN = [
	..."id,first_name,last_name,image_url,profile_image_url,has_image,banned,created_at".split(","),
	...["password_digest", "password_hasher", "password_enabled", "external_accounts"],
	...["primary_email_address", "primary_email_address_id", "email_addresses"],
	...["verified_email_addresses", "unverified_email_addresses", "object"],
	...["username", "primary_phone_number", "totp_secret"],
];

/** A user of Clerk's CSV export, or of its Backend API. Only the CSV has password hashes. */
export const fromClerk: Convert = (record, { providers, supports = () => false }) => {
	const { email, isVerified, others } = emailsOf(record);
	const accounts = listOf(record.external_accounts).map((account) => {
		const provider = (textOf(account.provider) ?? "").replace(/^oauth_/, "");
		return {
			providerId: providers[provider] ?? provider,
			accountId: textOf(account.provider_user_id),
		};
	});
	const hash = textOf(record.password_digest);
	const hasher = textOf(record.password_hasher);
	const username = textOf(record.username);
	const phoneNumber = textOf(record.primary_phone_number);
	const otherNumbers = split(record.verified_phone_numbers).filter((it) => it !== phoneNumber);
	const isVerifiedNumber = split(record.verified_phone_numbers).includes(phoneNumber ?? "");
	const secret = textOf(record.totp_secret);
	const isUsable = secret !== undefined && decodeTotpSecret(secret) !== null;
	return toUser(
		{
			externalId: textOf(record.id),
			email,
			name: joinName(record.first_name, record.last_name),
			image: record.has_image === false ? undefined : textOf(record.image_url),
			emailVerified: ifTrue(isVerified),
			disabled: ifTrue(record.banned === true),
			createdAt: dateOf(record.created_at),
			username: supports("username") ? username : undefined,
			...(supports("phoneNumber") && phoneNumber
				? { phoneNumber, phoneNumberVerified: ifTrue(isVerifiedNumber) }
				: {}),
			totpSecret: supports("totpSecret") && isUsable ? secret : undefined,
			password: hash && hasher ? { kind: kindOf(hasher), hash } : undefined,
			accounts: accounts.flatMap(({ providerId, accountId }) =>
				providerId && accountId ? [{ providerId, accountId }] : [],
			),
		},
		[
			...leftOver(record, [
				...TAKEN,
				...(supports("phoneNumber") && otherNumbers.length === 0 ? ["verified_phone_numbers"] : []),
			]),
			username && !supports("username") && "username",
			phoneNumber && !supports("phoneNumber") && "primary_phone_number",
			secret && !supports("totpSecret") && "totp_secret",
			secret && supports("totpSecret") && !isUsable && "totp_secret: bytes that are not a text",
			accounts.some(({ accountId }) => !accountId) && "external_accounts: no id",
			others && "email_addresses: more than one",
			hash && !hasher && "password_digest: no password_hasher",
			record.password_enabled === true && !hash && "password: not in this export",
		],
	);
};

/** Our kinds have lowercase letters, digits and hyphens. The forms of Argon2 say which one they are. */
const kindOf = (hasher: string) =>
	hasher.startsWith("argon2") ? "argon2" : hasher.toLowerCase().replaceAll(/[^a-z\d]+/g, "-");

/**
 * Clerk's CSV has several emails in one cell. Clerk documents no separator. Its own migration tool reads
 * commas and `|`, and a list in JSON. None of these characters can be in an email.
 */
const split = (value: unknown) =>
	[value]
		.flat()
		.flatMap((part) => (textOf(part) ?? "").split(/[\s,;|]+/))
		.filter(Boolean);

function emailsOf(record: ExportedRecord): {
	email?: string;
	isVerified: boolean;
	others: boolean;
} {
	const entries = listOf(record.email_addresses);
	if (entries.length > 0) {
		const primary =
			entries.find(({ id }) => id === record.primary_email_address_id) ?? entries[0] ?? {};
		const { status }: ExportedRecord = Object(primary.verification);
		return {
			email: textOf(primary.email_address),
			isVerified: status === "verified",
			others: entries.length > 1,
		};
	}
	const verified = split(record.verified_email_addresses);
	const all = [
		...verified,
		...split(record.unverified_email_addresses),
		...split(record.email_addresses),
	];
	const email = textOf(record.primary_email_address) ?? all[0];
	const isSame = (other: string) => other.toLowerCase() === email?.toLowerCase();
	return { email, isVerified: verified.some(isSame), others: !all.every(isSame) };
}
