/** What the service answers to one request. */
export type Answer = () => Response | Promise<Response>;

const toResponse = (body: unknown, status: number, headers: Record<string, string> = {}) =>
	new Response(JSON.stringify(body), {
		status,
		headers: { "content-type": "application/json", ...headers },
	});

export const json =
	<Body>(body: Body): Answer =>
	() =>
		toResponse(body, 200);

/** One page of a list. `nextCursor` leads to the next page. */
export const list =
	<Item>(items: Item[], total = items.length, nextCursor?: string): Answer =>
	() =>
		toResponse(items, 200, {
			"x-total-count": String(total),
			...(nextCursor ? { "x-next-cursor": nextCursor } : {}),
		});

/** What a search found in a list that is too long to search all of it. */
export const limitedSearch =
	<Item>(items: Item[]): Answer =>
	() =>
		toResponse(items, 200, { "x-search-limited": "true" });

/** An error, as Better Auth sends it. */
export const refuse =
	(status: number, code: string, message: string): Answer =>
	() =>
		toResponse({ code, message }, status);

/** The page keeps loading. */
export const never = (): Answer => () => new Promise(() => {});

/** The service cannot be reached. */
export const offline = (): Answer => () => Promise.reject(new TypeError("Failed to fetch"));
