import { providerOf } from "../../providers";
import { ConfirmBySlug } from "../../ui/ConfirmBySlug";
import { deleteConfig, type EffectiveProvider } from "../api/providers";
import type { Tenant } from "../api/tenants";
import { useChange } from "../change";
import { configsKey, providersKey } from "./providers-key";

type DeleteConfigProps = {
	tenant: Tenant;
	provider: EffectiveProvider;
	open: boolean;
	onClose: () => void;
};

export function DeleteConfig({ tenant, provider, open, onClose }: DeleteConfigProps) {
	const { name } = providerOf(provider.providerId);
	const remove = useChange({
		change: () => deleteConfig(tenant.id, provider.providerId),
		said: `The credentials for ${name} are deleted.`,
		refresh: [providersKey(tenant.id), configsKey(tenant.id)],
		after: onClose,
	});
	return (
		<ConfirmBySlug
			title={`Delete the credentials for ${name}?`}
			slug={tenant.slug}
			action="Delete credentials"
			open={open}
			busy={remove.isPending}
			error={remove.error?.message}
			onConfirm={() => remove.mutate()}
			onClose={onClose}
		>
			<p>
				Users of {tenant.name} can sign in with {name} only if the service has a client of its own
				for it. Users and their accounts stay.
			</p>
		</ConfirmBySlug>
	);
}
