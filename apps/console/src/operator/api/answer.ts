import type { ApiError } from "../../api/api-error";
import { unwrap } from "../../api/unwrap";

/** What the typed client promises, as JSON brings it: moments are texts. */
export type Wire<T> = T extends Date
	? string
	: T extends readonly (infer Item)[]
		? Wire<Item>[]
		: T extends object
			? { [Key in keyof T]: Wire<T[Key]> }
			: T;

type Call<T> = Promise<{
	data: T | null;
	error: { status: number; code?: string; message?: string } | null;
}>;

/** @throws {ApiError} for a refusal */
export const answerOf = async <T>(call: Call<T>): Promise<Wire<NonNullable<T>>> =>
	(await unwrap(call)) as Wire<NonNullable<T>>;

export type Page<T> = {
	items: T[];
	/** How many there are on all pages together. */
	total: number;
};

type PageOptions = { onResponse: (context: { response: Response }) => void };

/**
 * A part of a list, with the total from the header.
 *
 * @throws {ApiError} for a refusal
 */
export async function pageOf<T>(
	call: (fetchOptions: PageOptions) => Call<T[]>,
): Promise<Page<Wire<T>>> {
	let total = 0;
	const onResponse = ({ response }: { response: Response }) => {
		total = Number(response.headers.get("x-total-count"));
	};
	const items = (await unwrap(call({ onResponse }))) as Wire<T>[];
	return { items, total: Math.max(total, items.length) };
}

/** Whether the service says that the caller may not manage, or not any more. */
export const isRefusedManagement = (error: unknown): boolean =>
	(error as Partial<ApiError> | null)?.code === "TENANT_MANAGEMENT_NOT_ALLOWED";
