import { providerOf } from "../../providers";
import { Dialog } from "../../ui/Dialog";
import type { EffectiveProvider, OAuthConfig } from "../api/providers";
import type { Tenant } from "../api/tenants";
import { CredentialsForm } from "./CredentialsForm";

export type CredentialsDialogProps = {
	tenant: Tenant;
	provider: EffectiveProvider;
	config: OAuthConfig | undefined;
	open: boolean;
	onClose: () => void;
};

export function CredentialsDialog(props: CredentialsDialogProps) {
	const { provider, open, onClose } = props;
	const { name } = providerOf(provider.providerId);
	const isNew = provider.config === "absent";
	return (
		<Dialog
			title={isNew ? `Set up ${name}` : `Replace the credentials for ${name}`}
			open={open}
			onClose={onClose}
			wide
		>
			<CredentialsForm {...props} />
		</Dialog>
	);
}
