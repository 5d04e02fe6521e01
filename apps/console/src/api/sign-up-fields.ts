type Asked = { name: string; label: string; required: boolean };

/** A field that a tenant adds to its sign-up form. As `apps/server/src/sign-up-fields` has it. */
export type SignUpField = Asked &
	({ type: "text" } | { type: "checkbox" } | { type: "choice"; choices: string[] });

export type SignUpFields = { fields: SignUpField[] };

/** The longest label, the longest choice and the longest answer. */
export const MAX_TEXT_LENGTH = 150;
