import { type Convert, leftOver, textOf, toUser } from "./converted";

/**
 * The columns of a CSV file. `account.<provider>` contains the user's id at that provider, and
 * `fields.<name>` an additional field of your app.
 */
const CSV_COLUMNS = [
	"externalId",
	"email",
	"name",
	"emailVerified",
	"image",
	"role",
	"disabled",
	"createdAt",
	"passwordKind",
	"passwordHash",
	"username",
	"phoneNumber",
	"phoneNumberVerified",
	"totpSecret",
] as const;

const ACCOUNT = "account.";
const FIELD = "fields.";

const FLAGS: Record<string, boolean> = { true: true, "1": true, false: false, "0": false };

/** A row of a CSV file with our own columns. An empty cell is a field that the line does not have. */
export const fromRow: Convert = (record, { providers }) => {
	const accountColumns = Object.keys(record).filter((name) => name.startsWith(ACCOUNT));
	const fieldColumns = Object.keys(record).filter((name) => name.startsWith(FIELD));
	const fields = fieldColumns.flatMap((column) => {
		const text = textOf(record[column]);
		return text === undefined ? [] : [[column.slice(FIELD.length), text]];
	});
	const kind = textOf(record.passwordKind);
	const hash = textOf(record.passwordHash);
	// A text that is neither stays a text, and the line fails.
	const flag = (value: unknown) => {
		const text = textOf(value)?.trim();
		return text === undefined ? undefined : (FLAGS[text.toLowerCase()] ?? (text as never));
	};
	return toUser(
		{
			externalId: textOf(record.externalId),
			email: textOf(record.email)?.trim(),
			name: textOf(record.name),
			image: textOf(record.image),
			role: textOf(record.role),
			emailVerified: flag(record.emailVerified),
			disabled: flag(record.disabled),
			createdAt: textOf(record.createdAt),
			username: textOf(record.username),
			phoneNumber: textOf(record.phoneNumber),
			phoneNumberVerified: flag(record.phoneNumberVerified),
			totpSecret: textOf(record.totpSecret),
			fields: fields.length > 0 ? Object.fromEntries(fields) : undefined,
			password: kind && hash ? { kind, hash } : undefined,
			accounts: accountColumns.flatMap((column) => {
				const provider = column.slice(ACCOUNT.length);
				const accountId = textOf(record[column]);
				return accountId ? [{ providerId: providers[provider] ?? provider, accountId }] : [];
			}),
		},
		[
			...leftOver(record, [...CSV_COLUMNS, ...accountColumns, ...fieldColumns]),
			hash && !kind && "passwordHash: no passwordKind",
		],
	);
};
