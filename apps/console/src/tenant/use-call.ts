import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiError } from "../api/api-error";
import { loginOptionsKey } from "./login-options";
import { useTenant } from "./tenant-context";

/**
 * A call that changes something. When it turns out that the tenant was suspended or deleted since the
 * page was opened, the page asks for the login options anew and becomes the one that says so.
 */
export function useCall<Input = void, Output = unknown>(
	call: (input: Input) => Promise<Output>,
	onSuccess?: (output: Output, input: Input) => unknown,
) {
	const queryClient = useQueryClient();
	const { slug } = useTenant().placement;
	return useMutation<Output, Error, Input>({
		mutationFn: call,
		onSuccess: (output, input) => onSuccess?.(output, input),
		onError: (error) => {
			const gone = ["TENANT_SUSPENDED", "TENANT_NOT_FOUND"];
			if (error instanceof ApiError && gone.includes(error.code)) {
				queryClient.invalidateQueries({ queryKey: loginOptionsKey(slug) });
			}
		},
	});
}
