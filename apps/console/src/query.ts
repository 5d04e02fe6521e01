import { QueryClient } from "@tanstack/react-query";
import { ApiError } from "./api/api-error";

/** In memory only: nothing of one visit, account or tenant is there in the next. */
export const queryClient = new QueryClient({
	defaultOptions: {
		queries: {
			staleTime: 10_000,
			// What the server refused it will refuse again.
			retry: (failures, error) =>
				failures < 2 && !(error instanceof ApiError && error.status < 500 && error.status !== 0),
		},
	},
});
