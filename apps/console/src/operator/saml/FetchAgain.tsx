import { useQueryClient } from "@tanstack/react-query";
import { useApiMutation } from "../../api/query-client";
import { Button } from "../../ui/Button";
import { useToast } from "../../ui/Toast";
import { useApi } from "../api/context";
import { samlKey } from "../api/saml";
import { useTenant } from "../current-tenant/tenant-context";

/** Loads the metadata of the identity provider from its URL, before the service does so by itself. */
export function FetchAgain() {
	const tenant = useTenant();
	const { refreshSaml } = useApi();
	const toast = useToast();
	const queryClient = useQueryClient();
	const refresh = useApiMutation({
		mutationFn: () => refreshSaml(tenant.id),
		invalidate: [samlKey(tenant.id)],
		onSuccess: ({ changed }) =>
			toast(changed ? "The new metadata was saved." : "The metadata has not changed."),
		onError: ({ message }) => {
			toast(message, "danger");
			// The service has saved what is wrong, and the page shows it.
			void queryClient.invalidateQueries({ queryKey: samlKey(tenant.id) });
		},
	});
	return (
		<Button busy={refresh.isPending} onClick={() => refresh.mutate()}>
			Fetch again
		</Button>
	);
}
