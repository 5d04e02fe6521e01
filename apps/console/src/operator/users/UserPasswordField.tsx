import { useQuery } from "@tanstack/react-query";
import { loginOptionsQuery } from "../../api/login-options";
import { NewPasswordField } from "../../ui/NewPasswordField";
import { useTenant } from "../current-tenant/tenant-context";

type UserPasswordFieldProps = {
	value: string;
	onValueChange: (value: string) => void;
	personal: readonly string[];
};

/** A password that an administrator chooses for a user. Its shortest length is that of the policy. */
export function UserPasswordField(props: UserPasswordFieldProps) {
	const { data } = useQuery(loginOptionsQuery(useTenant().slug));
	// The tenant may be suspended. Then the server alone says what is too short.
	const minLength = data?.password.minLength ?? 1;
	return (
		<NewPasswordField
			label="New password"
			hint={data && `At least ${minLength} characters.`}
			minLength={minLength}
			{...props}
		/>
	);
}
