/** As long as the longest password that Better Auth accepts. */
const MAX_LENGTH = 128;

let list: Promise<ReadonlySet<string>> | undefined;

/** 49,000 passwords. Loaded when somebody chooses the first password. */
const loadList = (): Promise<ReadonlySet<string>> => {
	list ??= import("@zxcvbn-ts/language-common").then(
		({ dictionary }) => new Set(dictionary["passwords-common"]),
	);
	return list;
};

/**
 * Whether a password is one of those that people choose most often. Capital letters, and signs at its end,
 * do not make it better: `Password1!` is as common as `password1`.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
	if (password.length > MAX_LENGTH) return false;
	const common = await loadList();
	const word = password.toLowerCase();
	return common.has(word) || common.has(word.replace(/[^\p{L}\p{N}]+$/u, ""));
}
