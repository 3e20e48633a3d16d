#include "muslin/page/page.h"

namespace muslin {

std::string with_firm_spaces(const std::string& text) {
  std::string firm;
  for (size_t k = 0; k < text.size(); ++k) {
    const bool after_digit = k > 0 && text[k - 1] >= '0' && text[k - 1] <= '9';
    firm += after_digit && text[k] == ' ' ? std::string("\u00a0") : std::string(1, text[k]);
  }
  return firm;
}

std::string filled_page(std::string_view text,
                        const std::vector<std::pair<std::string_view, std::string>>& places) {
  std::string result;
  for (size_t at = 0; at < text.size();) {
    const size_t open = text.find("{{", at), close = text.find("}}", open);
    if (open == text.npos || close == text.npos) return result += text.substr(at);
    result += text.substr(at, open - at);
    const std::string_view name = text.substr(open + 2, close - open - 2);
    for (const auto& [place, value] : places)
      if (place == name) result += value;
    at = close + 2;
  }
  return result;
}

std::string html_escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        escaped += c;
    }
  return escaped;
}

std::string script_escaped(std::string_view json) {
  std::string escaped;
  for (const char c : json) c == '<' ? escaped += "\\u003c" : escaped += c;
  return escaped;
}

std::string base64(const unsigned char* bytes, size_t count) {
  constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((count + 2) / 3 * 4);
  for (size_t k = 0; k < count; k += 3) {
    const size_t rest = std::min<size_t>(3, count - k);
    unsigned block = 0;
    for (size_t i = 0; i < 3; ++i) block = block << 8 | (i < rest ? bytes[k + i] : 0u);
    for (size_t i = 0; i < 4; ++i) text += i <= rest ? kAlphabet[block >> (18 - 6 * i) & 63] : '=';
  }
  return text;
}

}  // namespace muslin
