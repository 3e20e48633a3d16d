// {fmt} within a static program, where the distribution has it as a shared library alone: what its headers define inline if told to
// is made here once, for code that was compiled as for the shared library.
#define FMT_HEADER_ONLY
#include <fmt/format.h>

#include <locale>

namespace fmt_inside {

template <class Number>
using Digits = fmt::detail::dragonbox::decimal_fp<Number> (*)(Number) noexcept;

extern const Digits<float> float_digits;
extern const Digits<double> double_digits;
extern fmt::detail::thousands_sep_result<char> (*const thousands)(fmt::detail::locale_ref);
extern char (*const decimal_point)(fmt::detail::locale_ref);
extern std::locale (fmt::detail::locale_ref::*const locale)() const;
extern bool (*const printable)(std::uint32_t);
extern void (*const format_error)(const char*);
extern std::string (*const format)(fmt::string_view, fmt::format_args);

const Digits<float> float_digits = fmt::detail::dragonbox::to_decimal<float>;
const Digits<double> double_digits = fmt::detail::dragonbox::to_decimal<double>;
fmt::detail::thousands_sep_result<char> (*const thousands)(fmt::detail::locale_ref) = fmt::detail::thousands_sep_impl<char>;
char (*const decimal_point)(fmt::detail::locale_ref) = fmt::detail::decimal_point_impl<char>;
std::locale (fmt::detail::locale_ref::*const locale)() const = &fmt::detail::locale_ref::get<std::locale>;
bool (*const printable)(std::uint32_t) = fmt::detail::is_printable;
void (*const format_error)(const char*) = fmt::detail::throw_format_error;
std::string (*const format)(fmt::string_view, fmt::format_args) = fmt::vformat;

}  // namespace fmt_inside
